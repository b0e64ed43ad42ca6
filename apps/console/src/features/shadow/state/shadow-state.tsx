import { isRoot, type ShadowSummary } from '@tidegate/contract/api'
import { useId } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../../api/session.ts'
import { toast } from '../../../lib/toast.ts'
import { Skeleton, Switch } from '../../../ui/kit/index.ts'
import { StatusTag } from '../../../ui/feedback/status-tag.tsx'
import { useSetShadow, type ShadowState } from '../queries.ts'
import styles from '../shadow.module.css'
import { HowTo } from './how-to.tsx'
import { ShareField } from './share-field.tsx'

/** Whether copies are looked at and how many of them; only the super admin may change it. */
export function ShadowStatePanel({ summary }: { summary: ShadowSummary | undefined }) {
  const { t } = useTranslation('shadow')
  const mayChange = useSession(({ user }) => isRoot(user?.role ?? 0))
  return (
    <section className={styles.state} aria-label={t('state.label')}>
      {!summary ? (
        <Skeleton active title={false} paragraph={{ rows: 2, width: ['220px', '60%'] }} />
      ) : mayChange ? (
        <Controls state={summary} />
      ) : (
        <Facts state={summary} />
      )}
      <HowTo />
    </section>
  )
}

function Controls({ state: { enabled, share } }: { state: ShadowState }) {
  const { t } = useTranslation('shadow')
  const id = useId()
  const set = useSetShadow()
  const save = async (change: Partial<ShadowState>) => {
    await set.mutateAsync(change)
    toast.success(t('state.saved'))
  }
  return (
    <>
      <div className={styles.stateLine}>
        <span className={styles.switch}>
          <Switch
            id={id}
            checked={enabled}
            loading={set.isPending && set.variables.enabled !== undefined}
            aria-describedby={`${id}-hint`}
            onChange={(next) => void save({ enabled: next }).catch(() => {})} // a refusal has been told by a toast
          />
          <label htmlFor={id}>{t('state.switch')}</label>
          <StateTag enabled={enabled} />
        </span>
        <span className={styles.share}>
          <label htmlFor={`${id}-share`}>{t('state.share')}</label>
          <ShareField id={`${id}-share`} share={share} onSave={(next) => save({ share: next })} />
        </span>
      </div>
      <p id={`${id}-hint`} className={styles.hint}>
        {t(enabled ? 'state.onHint' : 'state.offHint')}
      </p>
    </>
  )
}

function Facts({ state: { enabled, share } }: { state: ShadowState }) {
  const { t } = useTranslation('shadow')
  return (
    <>
      <div className={styles.stateLine}>
        <span className={styles.switch}>
          {t('state.switch')} <StateTag enabled={enabled} />
        </span>
        <span className="secondary">{t('state.shareOf', { share })}</span>
      </div>
      <p className={styles.hint}>
        {t(enabled ? 'state.onHint' : 'state.offHint')} {t('state.onlyRoot')}
      </p>
    </>
  )
}

function StateTag({ enabled }: Pick<ShadowState, 'enabled'>) {
  const { t } = useTranslation('shadow')
  return <StatusTag tone={enabled ? 'good' : 'neutral'}>{t(enabled ? 'state.on' : 'state.off')}</StatusTag>
}
