import { useTranslation } from 'react-i18next'
import { Statement } from '../../../components/statement/statement.tsx'
import { ownStatement } from '../queries.ts'
import { useRefresh } from '../use-refresh.ts'

/** The own statement; the balance above it is asked for together with it. */
export function OwnStatement() {
  const { t } = useTranslation('wallet')
  return (
    <Statement
      source={ownStatement}
      empty={{ title: t('statement.empty'), hint: t('statement.emptyHint') }}
      refreshing={useRefresh()}
    />
  )
}
