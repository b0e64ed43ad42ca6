import type { ConfigPlan } from '@tidegate/contract/api'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Alert, App, Button, Checkbox } from '../../../ui/kit/index.ts'
import styles from './config-file.module.css'
import { FileInput } from './file-input.tsx'
import { PassphraseInput } from './passphrase-input.tsx'
import { PlanView } from './plan-view.tsx'
import { countActions } from './count-actions.ts'
import { RefusedFile } from './refused-file.tsx'
import { useApplyConfig, usePlanConfig, type FileOrder } from './queries.ts'

const NOTHING: FileOrder = { yaml: '', passphrase: '', prune: false }

/** A file is looked at first, and applied after a question. Whatever is entered anew makes the look outdated. */
export function ApplyPart() {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const { modal } = App.useApp()
  const id = useId()
  const [order, setOrder] = useState(NOTHING)
  const plan = usePlanConfig()
  const apply = useApplyConfig()
  const change = (changes: Partial<FileOrder>) => {
    setOrder({ ...order, ...changes })
    plan.reset()
    apply.reset()
  }
  const ask = (shown: ConfigPlan) => {
    const { changed, removed } = countActions(shown)
    modal.confirm({
      title: t('configFile.confirm.title', { count: changed }),
      content: (
        <>
          <p>{t('configFile.confirm.text')}</p>
          {removed > 0 && <p>{t('configFile.confirm.removes', { count: removed })}</p>}
        </>
      ),
      okText: t('configFile.confirm.ok'),
      cancelText: common('cancel'),
      okButtonProps: { danger: removed > 0 },
      // A refusal is told where the plan stands.
      onOk: () =>
        apply.mutateAsync({ ...order, version: shown.version }).then(
          () => plan.reset(),
          () => {},
        ),
    })
  }
  if (apply.data) {
    return (
      <section className={styles.part} aria-labelledby={id}>
        <h3 id={id}>{t('configFile.apply.title')}</h3>
        <Alert
          type="success"
          showIcon
          title={t('configFile.done.title', { count: countActions(apply.data).changed })}
          action={
            <Button size="small" onClick={() => change(NOTHING)}>
              {t('configFile.done.again')}
            </Button>
          }
        />
      </section>
    )
  }
  return (
    <section className={styles.part} aria-labelledby={id}>
      <h3 id={id}>{t('configFile.apply.title')}</h3>
      <p className={styles.hint}>{t('configFile.apply.hint')}</p>
      <FileInput value={order.yaml} onChange={(yaml) => change({ yaml })} />
      {order.yaml.includes('sealed:') && (
        <PassphraseInput
          label={t('configFile.apply.passphrase')}
          hint={t('configFile.apply.passphraseHint')}
          value={order.passphrase}
          onChange={(passphrase) => change({ passphrase })}
        />
      )}
      <Checkbox checked={order.prune} onChange={(event) => change({ prune: event.target.checked })}>
        {t('configFile.apply.prune')}
      </Checkbox>
      <Button
        type={plan.data ? 'default' : 'primary'}
        loading={plan.isPending}
        disabled={order.yaml.trim() === ''}
        onClick={() => {
          apply.reset()
          plan.mutate(order)
        }}
      >
        {t('configFile.apply.plan')}
      </Button>
      <RefusedFile error={apply.error ?? plan.error} />
      {plan.data && <PlanView plan={plan.data} applying={apply.isPending} onApply={() => ask(plan.data)} />}
    </section>
  )
}
