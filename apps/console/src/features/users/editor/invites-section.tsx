import type { UserDetail } from '@tidegate/contract/api'
import { useTranslation } from 'react-i18next'
import { formatCount } from '../../../lib/format.ts'
import { CopyButton } from '../../../ui/copy-button.tsx'
import { Facts } from '../../../ui/facts.tsx'
import { FormSection } from '../../../ui/form-section.tsx'
import { Money } from '../../../ui/money.tsx'

/** What the account has done so far: calls, and people it brought. */
export function InvitesSection({ user }: { user: UserDetail }) {
  const { t } = useTranslation('users')
  const { aff_code: code, inviter_id: inviter } = user
  return (
    <FormSection title={t('form.invites')}>
      <Facts
        facts={[
          { term: t('columns.used'), value: <Money quota={user.used_quota} /> },
          ...(user.owed_quota > 0 ? [{ term: t('invites.owed'), value: <Money quota={user.owed_quota} /> }] : []),
          { term: t('columns.requests'), value: <span className="number">{formatCount(user.request_count)}</span> },
          { term: t('invites.invited'), value: <span className="number">{formatCount(user.aff_count)}</span> },
          { term: t('invites.earned'), value: <Money quota={user.aff_history_quota} /> },
          { term: t('invites.transferable'), value: <Money quota={user.aff_quota} /> },
          {
            term: t('invites.inviter'),
            value: inviter > 0 ? <span className="number">#{inviter}</span> : <span className="secondary">–</span>,
          },
          {
            term: t('invites.code'),
            value: code && (
              <>
                <code className="mono">{code}</code> <CopyButton text={code} label={t('invites.copyCode')} />
              </>
            ),
          },
        ]}
      />
    </FormSection>
  )
}
