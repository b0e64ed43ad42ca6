/** What signatures, hosted tools and native parts of this dialect are marked with. */
export const OWN = 'anthropic-messages'
