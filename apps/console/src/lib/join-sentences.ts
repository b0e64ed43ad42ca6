/** Joins sentences with spaces, except after full-width punctuation. */
export function joinSentences(...sentences: readonly string[]): string {
  return sentences
    .filter((sentence) => sentence !== '')
    .reduce((text, sentence) => (text === '' || /[。！？：]$/.test(text) ? text + sentence : `${text} ${sentence}`), '')
}
