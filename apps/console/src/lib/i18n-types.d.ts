import 'i18next'
import type { Texts } from '../locales/texts.ts'

// The compiler checks every key against the Chinese texts. A test checks that the other languages have the same keys.
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: Texts
  }
}
