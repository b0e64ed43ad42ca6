import { ERRORS } from '@tidegate/contract'
import { code, table } from './table.ts'

export function errorReference(): string {
  const rows = Object.entries(ERRORS)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, { status, en, zh }]) => [`<a id="${name}"></a>${code(name)}`, String(status), en, zh])
  return `# Errors

Every refusal has a stable code. \`/api\` calls answer it as \`code\` in the envelope, with the sentence in the caller's
language as \`message\`; calls of the gateway answer it in the form of the caller's protocol. Words in braces are filled
in. A status of 200 is a business refusal: the envelope says \`success: false\`.

Made from \`packages/contract/src/errors.ts\` by \`npm run docs:write\`.

${table(['Code', 'Status', 'English', '中文'], rows)}
`
}
