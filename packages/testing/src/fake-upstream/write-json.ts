/** JSON that is put into a body as it stands, so that numbers, spacing and order of its members stay the script's. */
export class RawJson {
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}

/** Like JSON.stringify, with every Verbatim in its own words. */
export function writeJson(value: unknown): string {
  const texts: string[] = []
  const text = JSON.stringify(value, (_, member: unknown) => {
    if (!(member instanceof RawJson)) return member
    texts.push(member.text)
    return MARK + String(texts.length - 1)
  })
  return texts.length === 0 ? text : text.replaceAll(MARKED, (_, index: string) => texts[Number(index)]!)
}

/** Of the private use area, so that no text of a test has it. */
const MARK = '\uE000verbatim:'
const MARKED = new RegExp(`"${MARK}(\\d+)"`, 'g')
