/** One text of several sentences. A full-width stop needs no space after it. */
export function joinSentences(...sentences: readonly string[]): string {
  return sentences
    .filter((sentence) => sentence !== '')
    .reduce((text, sentence) => (text === '' || /[。！？：]$/.test(text) ? text + sentence : `${text} ${sentence}`), '')
}
