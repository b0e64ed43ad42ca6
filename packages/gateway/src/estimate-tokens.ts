/** A cheap guess at the tokens of some texts, for holding credit: four Latin letters or one other character each. */
export function estimateTokens(texts: readonly string[]): number {
  let quarters = 0
  for (const text of texts) {
    for (let at = 0; at < text.length; at += 1) quarters += text.charCodeAt(at) < 128 ? 1 : 4
  }
  return Math.ceil(quarters / 4)
}
