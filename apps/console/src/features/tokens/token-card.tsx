import type { ApiToken } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Facts } from '../../ui/facts.tsx'
import { Money } from '../../ui/money.tsx'
import { RowCard } from '../../ui/row-card.tsx'
import { Time } from '../../ui/time.tsx'
import { DeleteTokenButton } from './delete-token-button.tsx'
import { Expiry, Group, Remaining } from './token-facts.tsx'
import { TokenKey } from './token-key.tsx'
import { TokenStatus } from './token-status.tsx'

export function TokenCard({ token }: { token: ApiToken }) {
  const { t } = useTranslation('tokens')
  return (
    <RowCard title={token.name} aside={<TokenStatus token={token} />} actions={<DeleteTokenButton token={token} />}>
      <TokenKey token={token} />
      <Facts
        facts={[
          { term: t('columns.remaining'), value: <Remaining token={token} /> },
          { term: t('columns.used'), value: <Money quota={token.used_quota} /> },
          { term: t('columns.expires'), value: <Expiry token={token} /> },
          { term: t('columns.group'), value: <Group token={token} /> },
          { term: t('columns.created'), value: <Time unixSeconds={token.created_time} /> },
        ]}
      />
    </RowCard>
  )
}
