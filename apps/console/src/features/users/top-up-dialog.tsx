import { isRoot } from '@tidegate/contract/api'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useId, useState, type FormEvent } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../api/session.ts'
import { MoneyInput } from '../../components/money-input.tsx'
import { AmountPresets } from '../../components/presets.tsx'
import { LoadError } from '../../components/resource/load-error.tsx'
import { formatBalance } from '../../lib/format.ts'
import { toast } from '../../lib/toast.ts'
import { useOpenings } from '../../lib/use-openings.ts'
import { Modal } from '../../ui/kit/index.ts'
import { balanceProblem, PRESETS, signedAmount } from './balance-field.tsx'
import { topUpUser, userQuery, USERS } from './api.ts'
import styles from './users.module.css'

interface Props {
  id: number
  open: boolean
  onClose(): void
}

/** Adds an amount to the balance of a user, or deducts it. */
export default function TopUpDialog(props: Props) {
  const opening = useOpenings(props.open, props.id)
  return <TopUp key={opening} opening={opening} {...props} />
}

function TopUp({ id, open, onClose, opening }: Props & { opening: number }) {
  const { t } = useTranslation('users')
  const { t: common } = useTranslation()
  const field = useId()
  const client = useQueryClient()
  const mayBeNegative = useSession((session) => isRoot(session.user?.role ?? 0))
  const [amount, setAmount] = useState<number | null>(null)
  const query = userQuery(id)
  // The difference is applied to this balance, so it must be up to date.
  const loaded = useQuery({ ...query, queryKey: [...query.queryKey, { opening }] as never, enabled: open, gcTime: 0 })
  const user = loaded.data
  const topUp = useMutation({
    mutationFn: (added: number) => topUpUser(user!, added),
    onSuccess: async (_reply, added) => {
      await Promise.all([USERS, query.queryKey].map((queryKey) => client.invalidateQueries({ queryKey })))
      toast.success(t('topUp.done', { name: user?.username, amount: signedAmount(added) }))
      onClose()
    },
  })
  const after = (user?.quota ?? 0) + (amount ?? 0)
  const problem = user && amount !== null ? balanceProblem(after, { stored: user.quota, mayBeNegative }) : null
  const canSubmit = user !== undefined && amount !== null && amount !== 0 && problem === null
  const submit = (event?: FormEvent) => {
    event?.preventDefault()
    if (canSubmit && !topUp.isPending) topUp.mutate(amount)
  }
  return (
    <Modal
      title={user ? t('topUp.title', { name: user.username }) : t('actions.topUp')}
      open={open}
      onCancel={onClose}
      onOk={() => submit()}
      okText={amount !== null && amount < 0 ? t('topUp.deduct') : t('actions.topUp')}
      okButtonProps={{ disabled: !canSubmit, loading: topUp.isPending }}
      cancelText={common('cancel')}
      width={420}
      destroyOnHidden
      afterOpenChange={(isOpen) => isOpen && document.getElementById(field)?.focus()}
    >
      {loaded.error ? (
        <LoadError
          title={common('errors.loadFailed')}
          error={loaded.error}
          retrying={loaded.isFetching}
          onRetry={loaded.refetch}
        />
      ) : (
        <form onSubmit={submit}>
          <label className={styles.label} htmlFor={field}>
            {t('topUp.amount')}
          </label>
          <MoneyInput id={field} className={styles.wide} value={amount} onChange={setAmount} />
          <AmountPresets label={t('quota.presets')} amounts={PRESETS} sign="+" onChoose={setAmount} />
          <dl className={styles.sum}>
            <div>
              <dt>{t('topUp.before')}</dt>
              <dd>{user ? formatBalance(user.quota) : '–'}</dd>
            </div>
            <div className={styles.after}>
              <dt>{t('topUp.after')}</dt>
              <dd>{user ? formatBalance(after) : '–'}</dd>
            </div>
          </dl>
          <p className={problem ? styles.problem : styles.help} role={problem ? 'alert' : undefined}>
            {problem ? t(`quota.${problem}`) : t(after < 0 ? 'topUp.negative' : 'topUp.help')}
          </p>
        </form>
      )}
    </Modal>
  )
}
