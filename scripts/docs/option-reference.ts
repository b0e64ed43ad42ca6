import { type OptionDefinition, OPTIONS } from '@tidegate/contract'
import { code, table } from './table.ts'

const LONGEST_DEFAULT = 60

export function optionReference(): string {
  const options = Object.entries(OPTIONS as Record<string, OptionDefinition>)
  const tabs = [...new Set(options.map(([, { tab }]) => tab))]
  const sections = tabs.map((tab) => {
    const rows = options.filter(([, option]) => option.tab === tab).map(([key, option]) => rowOf(key, option))
    return `## ${tab}\n\n${table(['Option', 'Section', 'Type', 'Default', 'Secret', 'Re-authentication'], rows)}`
  })
  return `# Options

Settings of the site, as the super admin sees them under system settings and \`/api/option\` has them. A secret is written
but never read back. Options marked under "Re-authentication" need it to be [recent](../security.md#re-authentication) for a
change. A change is effective on every node within two seconds.

Made from \`packages/contract/src/options/index.ts\` by \`npm run docs:write\`.

${sections.join('\n\n')}
`
}

function rowOf(key: string, option: OptionDefinition): string[] {
  const kind = option.choices === undefined ? option.kind : option.choices.map(code).join(', ')
  return [code(key), option.section, kind, defaultOf(option), option.secret ? 'yes' : '', option.guard ? 'yes' : '']
}

function defaultOf(option: OptionDefinition): string {
  const text = option.format(option.default).replaceAll(/\s+/g, ' ')
  return text.length > LONGEST_DEFAULT ? `${code(text.slice(0, LONGEST_DEFAULT - 1))}…` : code(text)
}
