export const common = {
  close: "Close",
  keep: "Keep it",
  cancel: "Cancel",
  loading: "Loading",
  tryAgain: "Try again",
  request: "Request {{id}}",
  more: "More",
  actions: "Actions for {{name}}",
  and: ", ",
  failed: {
    page: "This page could not be loaded",
    action: "That did not work",
    server: "The server answered with an error. Try again, or send the number to your administrator.",
    network: "The server does not answer. Check that it is running, then try again.",
    unknown: "Something in this page failed. Reload it; your work on the server is safe.",
  },
  notFound: {
    title: "There is no such page",
    detail: "It may have been moved or deleted, or it belongs to another workspace.",
    home: "Ask a question",
  },
};
