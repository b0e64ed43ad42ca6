import { flag, integer } from '../define.ts'
import { line, secret } from '../define-text.ts'

const smtp = { tab: 'system', section: 'smtp', guard: 'reauth' } as const

export const mailOptions = {
  /** A host name, not an address with a scheme. */
  SMTPServer: line(smtp, '', { max: 253, pattern: /^[^\s/@]*$/ }),
  SMTPPort: integer(smtp, 587, { min: 1, max: 65_535 }),
  SMTPAccount: line(smtp),
  SMTPFrom: line(smtp, '', { pattern: /^$|^[^\s<>,;@]+@[^\s<>,;@]+$/ }),
  SMTPToken: secret(smtp),
  SMTPSSLEnabled: flag(smtp, false),
}
