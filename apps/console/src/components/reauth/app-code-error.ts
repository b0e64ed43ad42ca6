import { ApiError, errorText } from '../../api/errors.ts'
import { i18n } from '../../lib/i18n.ts'

/** What to tell where only a code of the app will do: the server's own words speak of recovery codes too. */
export function appCodeErrorText(error: unknown): string {
  const isWrong = error instanceof ApiError && error.code === 'second_factor_wrong'
  return isWrong ? i18n.t('proof:wrongCode') : errorText(error)
}
