import type { ConfigPlan } from '@tidegate/contract/api'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText, isUnproved } from '../../../api/errors.ts'
import { serverLanguage } from '../../../lib/i18n.ts'
import { Alert, App, Button, Checkbox } from '../../../ui/kit/index.ts'
import { problemsIn, useApplyConfig, usePlanConfig, type ConfigFile } from '../api.ts'
import { FileInput, PassphraseInput } from './config-fields.tsx'
import styles from './config-file.module.css'
import { countActions, PlanView } from './plan-view.tsx'

const NO_FILE: ConfigFile = { yaml: '', passphrase: '', prune: false }

/** Shows what a file changes and applies it after a confirmation. Editing the file discards the plan. */
export function ApplyPart() {
  const { t } = useTranslation('settings')
  const { t: common } = useTranslation()
  const { modal } = App.useApp()
  const id = useId()
  const [file, setFile] = useState(NO_FILE)
  const plan = usePlanConfig()
  const apply = useApplyConfig()
  const change = (changes: Partial<ConfigFile>) => {
    setFile({ ...file, ...changes })
    plan.reset()
    apply.reset()
  }
  const confirm = (shown: ConfigPlan) => {
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
      // An error is shown above the plan.
      onOk: () =>
        apply.mutateAsync({ ...file, version: shown.version }).then(
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
            <Button size="small" onClick={() => change(NO_FILE)}>
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
      <FileInput value={file.yaml} onChange={(yaml) => change({ yaml })} />
      {file.yaml.includes('sealed:') && (
        <PassphraseInput
          label={t('configFile.apply.passphrase')}
          hint={t('configFile.apply.passphraseHint')}
          value={file.passphrase}
          onChange={(passphrase) => change({ passphrase })}
        />
      )}
      <Checkbox checked={file.prune} onChange={(event) => change({ prune: event.target.checked })}>
        {t('configFile.apply.prune')}
      </Checkbox>
      <Button
        type={plan.data ? 'default' : 'primary'}
        loading={plan.isPending}
        disabled={file.yaml.trim() === ''}
        onClick={() => {
          apply.reset()
          plan.mutate(file)
        }}
      >
        {t('configFile.apply.plan')}
      </Button>
      <FileError error={apply.error ?? plan.error} />
      {plan.data && <PlanView plan={plan.data} applying={apply.isPending} onApply={() => confirm(plan.data)} />}
    </section>
  )
}

/** Why a file was rejected: its problems by line, or one message. */
function FileError({ error }: { error: unknown }) {
  const { t } = useTranslation('settings')
  if (!error) return null
  const problems = problemsIn(error)
  const language = serverLanguage()
  if (problems.length === 0) {
    return <Alert type="error" showIcon title={isUnproved(error) ? t('configFile.apply.unproved') : errorText(error)} />
  }
  return (
    <Alert
      type="error"
      showIcon
      title={t('configFile.problems.title', { count: problems.length })}
      description={
        <ul className={styles.problems}>
          {problems.map((problem) => (
            <li key={`${problem.line} ${problem.place} ${problem.en}`}>
              <strong>{t('configFile.problems.line', { line: problem.line })}</strong>
              {problem.place !== '' && <code className="mono">{problem.place}</code>}
              <span>{problem[language]}</span>
            </li>
          ))}
        </ul>
      }
    />
  )
}
