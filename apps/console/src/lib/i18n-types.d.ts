import 'i18next'
import type { Texts } from '../locales/texts.ts'

// The compiler checks every key against the Chinese texts; a test compares the other languages with them.
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: Texts
  }
}
