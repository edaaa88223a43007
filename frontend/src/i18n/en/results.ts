export const results = {
  table: {
    null: "No value (NULL)",
    empty: "An empty text",
    noRows: "No rows.",
    noColumns_one: "{{count, number}} row without columns.",
    noColumns_other: "{{count, number}} rows without columns.",
  },
  sql: {
    label: "SQL",
  },
};
