/** JSON that is written unchanged, so that numbers, spacing and member order are those of the script. */
export class RawJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Like JSON.stringify, with `RawJson` written unchanged. */
export function writeJson(value: unknown): string {
  const texts: string[] = []
  const text = JSON.stringify(value, (_, member: unknown) => {
    if (!(member instanceof RawJson)) return member
    texts.push(member.text)
    return MARK + String(texts.length - 1)
  })
  return texts.length === 0 ? text : text.replaceAll(MARKED, (_, index: string) => texts[Number(index)]!)
}

/** A private use character, which no test text contains. */
const MARK = '\uE000verbatim:'
const MARKED = new RegExp(`"${MARK}(\\d+)"`, 'g')
