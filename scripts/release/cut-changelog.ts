export interface CutChangelog {
  /** The file with an empty section for what comes next. */
  readonly changelog: string
  /** What is in this version, for whoever publishes it. */
  readonly notes: string
}

const UNRELEASED = '## Unreleased'

/** Gives what is unreleased a version and a date. */
export function cutChangelog(text: string, version: string, date: string): CutChangelog {
  const lines = text.split('\n')
  const from = lines.indexOf(UNRELEASED)
  if (from === -1) throw new Error(`CHANGELOG.md has no section "${UNRELEASED}"`)
  if (lines.some((line) => line === `## ${version}` || line.startsWith(`## ${version} `))) {
    throw new Error(`CHANGELOG.md already has a section for ${version}`)
  }
  const next = lines.findIndex((line, index) => index > from && line.startsWith('## '))
  const to = next === -1 ? lines.length : next
  const notes = lines
    .slice(from + 1, to)
    .join('\n')
    .trim()
  if (notes === '') throw new Error('CHANGELOG.md has nothing unreleased')
  const rest = lines.slice(to).join('\n').trimEnd()
  const parts = [lines.slice(0, from).join('\n').trimEnd(), UNRELEASED, `## ${version} - ${date}`, notes, rest]
  return { changelog: `${parts.filter((part) => part !== '').join('\n\n')}\n`, notes: `${notes}\n` }
}
