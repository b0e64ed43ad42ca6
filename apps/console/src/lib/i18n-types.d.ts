import 'i18next'
import type { texts } from '../locales/zh/index.ts'

// Every key is checked by the compiler against the Chinese texts; a test holds English to the same keys.
declare module 'i18next' {
  interface CustomTypeOptions {
    defaultNS: 'common'
    resources: typeof texts
  }
}
