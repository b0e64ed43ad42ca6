import { isRoot, type ShadowSummary } from '@tidegate/contract/api'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useSession } from '../../api/session.ts'
import { toast } from '../../lib/toast.ts'
import { wholeNumber } from '../../lib/whole-number.ts'
import { SkeletonLines } from '../../ui/feedback/skeleton.tsx'
import { CopyButton } from '../../ui/feedback/copy-button.tsx'
import { StatusTag } from '../../ui/feedback/status-tag.tsx'
import { Input, Switch } from '../../ui/kit/index.ts'
import { DocsLink } from '../../ui/page/help-link.tsx'
import { useSetShadow, type ShadowSettings } from './api.ts'
import { nginxSnippet } from './setup-commands.ts'
import styles from './shadow.module.css'

/** Shows whether shadow mode is on and its sample rate. Only the super admin can change them. */
export function SettingsPanel({ summary }: { summary: ShadowSummary | undefined }) {
  const { t } = useTranslation('shadow')
  const mayChange = useSession(({ user }) => isRoot(user?.role ?? 0))
  const isWaiting = summary?.enabled === true && summary.calls === 0
  return (
    <section className={styles.state} aria-label={t('state.label')}>
      {!summary ? (
        <SkeletonLines lines={2} />
      ) : mayChange ? (
        <Controls settings={summary} />
      ) : (
        <ReadOnly settings={summary} />
      )}
      {/* The next step while no request has arrived. */}
      <SetupGuide key={String(isWaiting)} open={isWaiting} />
    </section>
  )
}

function Controls({ settings: { enabled, share } }: { settings: ShadowSettings }) {
  const { t } = useTranslation('shadow')
  const id = useId()
  const set = useSetShadow()
  const save = async (change: Partial<ShadowSettings>) => {
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
            onChange={(next) => void save({ enabled: next }).catch(() => {})} // errors are shown by the query client
          />
          <label htmlFor={id}>{t('state.switch')}</label>
        </span>
        <span className={styles.share}>
          <label htmlFor={`${id}-share`}>{t('state.share')}</label>
          <ShareField id={`${id}-share`} share={share} onSave={(next) => save({ share: next })} />
        </span>
        <p id={`${id}-hint`} className={styles.hint}>
          {t(enabled ? 'state.onHint' : 'state.offHint')}
        </p>
      </div>
    </>
  )
}

function ReadOnly({ settings: { enabled, share } }: { settings: ShadowSettings }) {
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

function StateTag({ enabled }: Pick<ShadowSettings, 'enabled'>) {
  const { t } = useTranslation('shadow')
  return <StatusTag tone={enabled ? 'good' : 'neutral'}>{t(enabled ? 'state.on' : 'state.off')}</StatusTag>
}

interface ShareProps {
  id: string
  share: number
  onSave(share: number): Promise<unknown>
}

/** A percentage. Enter and blur save it; Escape, and blur with an invalid value, reset it. */
function ShareField({ id, share, onSave }: ShareProps) {
  const { t } = useTranslation('shadow')
  const [draft, setDraft] = useState({ text: String(share), of: share })
  const [saving, setSaving] = useState(false)
  const reset = () => setDraft({ text: String(share), of: share })
  if (draft.of !== share) reset()
  const next = shareIn(draft.text)

  const save = async () => {
    if (saving || next === share) return
    if (next === null) return toast.error(t('state.shareInvalid'))
    setSaving(true)
    // Errors are shown by the query client.
    await onSave(next).catch(reset)
    setSaving(false)
  }
  return (
    <Input
      id={id}
      className={styles.shareField}
      inputMode="numeric"
      suffix="%"
      value={draft.text}
      readOnly={saving}
      status={next === null ? 'error' : ''}
      onChange={(event) => setDraft({ ...draft, text: event.target.value })}
      onPressEnter={() => void save()}
      onBlur={() => (next === null ? reset() : void save())}
      onKeyDown={(event) => event.key === 'Escape' && reset()}
    />
  )
}

function shareIn(text: string): number | null {
  const share = wholeNumber(text.trim())
  return share !== null && share <= 100 ? share : null
}

/** How to mirror requests of the old gateway. */
function SetupGuide({ open }: { open: boolean }) {
  const { t } = useTranslation('shadow')
  const { t: common } = useTranslation()
  const snippet = nginxSnippet(window.location)
  return (
    <details className={styles.guide} open={open}>
      <summary>{t('howTo.title')}</summary>
      <p>{t('howTo.text')}</p>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- scroll areas must be focusable */}
      <pre className={styles.snippet} tabIndex={0}>
        {snippet}
      </pre>
      <p>{t('howTo.note')}</p>
      <div className={styles.guideActions}>
        <CopyButton text={snippet} label={t('howTo.copy')} words={common('copy')} />
        <DocsLink page="guides/shadow-mode">{t('howTo.guide')}</DocsLink>
      </div>
    </details>
  )
}
