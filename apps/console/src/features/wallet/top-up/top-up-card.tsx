import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../api/errors.ts'
import { Alert, Button, Skeleton } from '../../../ui/kit/index.ts'
import { Card } from '../card.tsx'
import { topUpInfoQuery } from '../queries.ts'
import { TopUpForm } from './top-up-form.tsx'

/** Buys balance with money, where the operator has opened a way to pay. */
export function TopUpCard() {
  const { t } = useTranslation('wallet')
  const { t: common } = useTranslation()
  const info = useQuery(topUpInfoQuery)
  return (
    <Card title={t('topUp.title')} hint={info.error && !info.data ? errorText(info.error) : t('topUp.hint')}>
      {content()}
    </Card>
  )

  function content() {
    if (info.data) {
      if (info.data.methods.length > 0) return <TopUpForm info={info.data} />
      return <Alert type="warning" showIcon title={t('topUp.closed')} />
    }
    if (!info.error) return <Skeleton active title={false} paragraph={{ rows: 4 }} />
    return (
      <Button loading={info.isFetching} onClick={() => void info.refetch()}>
        {common('retry')}
      </Button>
    )
  }
}
