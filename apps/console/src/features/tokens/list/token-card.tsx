import type { ApiToken } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Facts } from '../../../ui/facts.tsx'
import { Money } from '../../../ui/money.tsx'
import { RowCard } from '../../../ui/row-card.tsx'
import { Time } from '../../../ui/time.tsx'
import { TokenExpiry, TokenKey, TokenLastUse, TokenStatus } from './cells.tsx'
import { TokenActionButtons } from './row-actions.tsx'
import { TokenGroup } from './token-group.tsx'
import { TokenQuota } from './token-quota.tsx'

export function TokenCard({ token }: { token: ApiToken }) {
  const { t } = useTranslation('tokens')
  return (
    <RowCard title={token.name} aside={<TokenStatus token={token} />} actions={<TokenActionButtons token={token} />}>
      <TokenKey token={token} />
      <Facts
        facts={[
          { term: t('columns.remaining'), value: <TokenQuota token={token} /> },
          { term: t('columns.used'), value: <Money quota={token.used_quota} /> },
          { term: t('columns.group'), value: <TokenGroup token={token} /> },
          { term: t('columns.expires'), value: <TokenExpiry token={token} /> },
          { term: t('columns.lastUse'), value: <TokenLastUse token={token} /> },
          { term: t('columns.created'), value: <Time unixSeconds={token.created_time} /> },
        ]}
      />
    </RowCard>
  )
}
