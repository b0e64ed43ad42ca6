import { useTranslation } from 'react-i18next'
import type { FieldProblem } from './account-rules.ts'

/** Makes a rule of the form out of what finds a problem, in the person's language. */
export function useFieldRule() {
  const { t } = useTranslation('users')
  return (problemOf: (value: string) => FieldProblem | null) => ({
    validator: (_: unknown, value: string | undefined) => {
      const problem = problemOf(value ?? '')
      return problem ? Promise.reject(new Error(t(`problems.${problem}`))) : Promise.resolve()
    },
  })
}
