/** The order of names in lists: capital letters make no difference, and 2 comes before 10. */
export const byName: (one: string, other: string) => number = new Intl.Collator('en', { numeric: true }).compare
