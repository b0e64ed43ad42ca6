import { useQuery } from '@tanstack/react-query'
import type { User } from '@tidegate/contract/api'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../api/errors.ts'
import { formatBalance, formatCount, moneyRules } from '../../../lib/format.ts'
import { SkeletonBlock, SkeletonLines } from '../../../ui/feedback/skeleton.tsx'
import { CopyButton } from '../../../ui/feedback/copy-button.tsx'
import { Facts } from '../../../ui/page/facts.tsx'
import { Button, Input, Space } from '../../../ui/kit/index.ts'
import { Money } from '../../../components/money.tsx'
import { Card } from '../card.tsx'
import styles from '../account.module.css'
import { inviteCodeQuery } from '../api.ts'
import { TransferDialog } from './transfer-dialog.tsx'

/** The invite link and its earnings. */
export function InviteCard({ user }: { user: User | undefined }) {
  const { t } = useTranslation('me')
  return (
    <Card title={t('invite.title')} hint={t('invite.hint')}>
      <InviteLink />
      {user ? <Earnings user={user} /> : <SkeletonLines lines={2} />}
    </Card>
  )
}

function InviteLink() {
  const { t } = useTranslation('me')
  const { t: common } = useTranslation()
  const code = useQuery(inviteCodeQuery)
  if (code.error && code.data === undefined) {
    return (
      <p className="secondary">
        {errorText(code.error)}
        <Button type="link" size="small" loading={code.isFetching} onClick={() => void code.refetch()}>
          {common('retry')}
        </Button>
      </p>
    )
  }
  if (code.data === undefined) return <SkeletonBlock className={styles.blankLink} />
  const link = `${window.location.origin}/register?aff=${encodeURIComponent(code.data)}`
  return (
    <div className={styles.link}>
      <Input readOnly value={link} aria-label={t('invite.link')} onFocus={(event) => event.target.select()} />
      <CopyButton text={link} label={t('invite.copyLink')} words={common('copy')} />
    </div>
  )
}

function Earnings({ user }: { user: User }) {
  const { t } = useTranslation('me')
  const [isTransferring, setTransferring] = useState(false)
  const minimum = Math.ceil(moneyRules().quotaPerUnit)
  const canTransfer = user.aff_quota >= minimum
  return (
    <>
      <Facts
        facts={[
          { term: t('invite.invited'), value: <span className="number">{formatCount(user.aff_count)}</span> },
          { term: t('invite.earnings'), value: <Money quota={user.aff_quota} /> },
          { term: t('invite.history'), value: <Money quota={user.aff_history_quota} /> },
        ]}
      />
      <Space wrap>
        <Button disabled={!canTransfer} onClick={() => setTransferring(true)}>
          {t('invite.transfer')}
        </Button>
        {!canTransfer && (
          <span className={styles.hint}>{t('invite.transferFrom', { least: formatBalance(minimum) })}</span>
        )}
      </Space>
      <TransferDialog
        earnings={user.aff_quota}
        minimum={minimum}
        open={isTransferring}
        onClose={() => setTransferring(false)}
      />
    </>
  )
}
