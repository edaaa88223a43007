export const chat = {
  title: "Ask",
};
