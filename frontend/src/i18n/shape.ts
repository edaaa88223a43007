/** The same keys with words of another language. */
export type Same<Strings> = {
  [Key in keyof Strings]: Strings[Key] extends string ? string : Same<Strings[Key]>;
};
