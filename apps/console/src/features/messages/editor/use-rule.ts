import { useTranslation } from 'react-i18next'
import type { Problem } from './message-rules.ts'

/** Makes a rule of the form out of what finds a problem, in the person's language. */
export function useRule() {
  const { t } = useTranslation('messages')
  return <Value>(problemOf: (value: Value) => Problem | null) => ({
    validator: (_: unknown, value: Value) => {
      const problem = problemOf(value)
      return problem ? Promise.reject(new Error(t(`problems.${problem}`))) : Promise.resolve()
    },
  })
}
