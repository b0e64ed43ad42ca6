import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type OptionDefinition, OPTIONS } from '@tidegate/contract'
import { SECTIONS, TABS, type SectionId } from '../../apps/console/src/features/settings/sections/index.ts'
import { code, table } from './table.ts'

/** The options in the order and with the texts of the console, in both languages, by path. */
export const OPTION_PAGES: Readonly<Record<string, () => string>> = {
  'docs/reference/options.md': () =>
    optionPage(
      'en',
      `# Options

Settings of the site, as in **System settings** of the console and in \`/api/option\`. Headings and names are those of the
console. A change takes effect on every process within two seconds.

A secret can be written but not read. "Confirm" means that a change needs
[re-authentication](../guides/secure.md#re-authentication).

Generated from \`packages/contract/src/options\` and the texts of the console by \`npm run docs:write\`.`,
      { columns: ['Option', 'Name', 'Meaning', 'Type', 'Default', 'Note'], secret: 'secret', guarded: 'confirm' },
    ),
  'docs/zh/reference/options.md': () =>
    optionPage(
      'zh',
      `# 系统选项

站点的全部设置，也就是控制台的**系统设置**和 \`/api/option\`。标题和名称与控制台一致。修改后两秒内在所有进程生效。

标有“机密”的只能写入，不能读出；标有“验证”的，修改时要[重新验证身份](../guides/secure.md#重新验证身份)。

由 \`npm run docs:write\` 根据 \`packages/contract/src/options\` 和控制台的文字生成。`,
      { columns: ['选项', '名称', '说明', '类型', '默认', '备注'], secret: '机密', guarded: '验证' },
    ),
}

interface Words {
  readonly columns: readonly string[]
  readonly secret: string
  readonly guarded: string
}

interface SettingTexts {
  readonly tabs: Record<string, string>
  readonly parts: Record<SectionId, { title: string; hint: string }>
  readonly options: Record<string, { label: string; help: string }>
}

const LOCALES = join(import.meta.dirname, '../../apps/console/src/locales')
const OPTIONS_BY_KEY = OPTIONS as Record<string, OptionDefinition>
/** Options with an editor of their own, which the section does not list. */
const IN_EDITORS: Partial<Record<SectionId, readonly string[]>> = { mapping: ['global_model_mapping'] }

function optionPage(language: string, introduction: string, words: Words): string {
  const file = readFileSync(join(LOCALES, language, 'settings.json'), 'utf8')
  const texts = (JSON.parse(file) as { settings: SettingTexts }).settings
  const tabs = TABS.map((tab) => {
    const sections = SECTIONS.filter((section) => section.tab === tab).map(({ id, fields }) => {
      const keys = [...fields.map(({ key }) => key), ...(IN_EDITORS[id] ?? [])]
      const rows = keys.map((key) => rowOf(key, texts, words))
      const { title, hint } = texts.parts[id]
      return `<a id="section-${id}"></a>\n\n### ${title}\n\n${hint}\n\n${table(words.columns, rows)}`
    })
    return `## ${texts.tabs[tab]}\n\n${sections.join('\n\n')}`
  })
  return `${introduction}\n\n${tabs.join('\n\n')}\n`
}

function rowOf(key: string, { options }: SettingTexts, { secret, guarded }: Words): string[] {
  const option = OPTIONS_BY_KEY[key]!
  const { label, help } = options[key.replaceAll('.', '_')]!
  const kind = option.choices === undefined ? option.kind : option.choices.map(code).join(', ')
  const notes = [option.secret && secret, option.guard && guarded].filter(Boolean)
  return [
    `<a id="${key}"></a>${code(key)}`,
    escapeHtml(label),
    escapeHtml(help),
    kind,
    defaultOf(option),
    notes.join(', '),
  ]
}

/** Texts of the console mention elements, such as <head>. */
const escapeHtml = (text: string) => text.replaceAll('<', '&lt;')

const MAX_DEFAULT_LENGTH = 60

function defaultOf(option: OptionDefinition): string {
  const text = option.format(option.default).replaceAll(/\s+/g, ' ')
  return text.length > MAX_DEFAULT_LENGTH ? `${code(text.slice(0, MAX_DEFAULT_LENGTH - 1))}…` : code(text)
}
