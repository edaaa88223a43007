export const reader = {
  image: "Picture: {{alt}}",
  noAlt: "without description",
  done: "done",
  open: "open",
  table: "Table",
};
