import { NEVER_EXPIRES, type ApiToken } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { Money } from '../../ui/money.tsx'
import { Time } from '../../ui/time.tsx'

/** Facts of a token that read the same in a table and on a card. */
export function Remaining({ token }: { token: Pick<ApiToken, 'unlimited_quota' | 'remain_quota'> }) {
  const { t } = useTranslation('tokens')
  return token.unlimited_quota ? (
    <span className="secondary">{t('unlimited')}</span>
  ) : (
    <Money quota={token.remain_quota} />
  )
}

export function Expiry({ token }: { token: Pick<ApiToken, 'expired_time'> }) {
  const { t } = useTranslation('tokens')
  return token.expired_time === NEVER_EXPIRES ? (
    <span className="secondary">{t('never')}</span>
  ) : (
    <Time unixSeconds={token.expired_time} />
  )
}

export function Group({ token }: { token: Pick<ApiToken, 'group'> }) {
  const { t } = useTranslation('tokens')
  return token.group ? <span>{token.group}</span> : <span className="secondary">{t('ownGroup')}</span>
}
