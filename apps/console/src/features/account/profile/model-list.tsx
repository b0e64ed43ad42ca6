import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../../api/errors.ts'
import { stored } from '../../../lib/stored.ts'
import { CopyButton } from '../../../ui/feedback/copy-button.tsx'
import { Button, Skeleton } from '../../../ui/kit/index.ts'
import styles from '../account.module.css'
import { ownModelsQuery } from '../queries.ts'

const FEW = 10

/** The models a person can call; a click copies a name. */
export function ModelList() {
  const { t } = useTranslation('me')
  const { t: common } = useTranslation()
  const models = useQuery(ownModelsQuery)
  return (
    <section className={styles.part} aria-labelledby="models-heading">
      <h3 id="models-heading">
        {t('models.title')}
        {models.data && models.data.length > 0 && <span className={styles.count}>{models.data.length}</span>}
      </h3>
      {models.data ? (
        <Names names={models.data} />
      ) : models.error ? (
        <p className="secondary">
          {errorText(models.error)}
          <Button type="link" size="small" loading={models.isFetching} onClick={() => void models.refetch()}>
            {common('retry')}
          </Button>
        </p>
      ) : (
        <Skeleton active title={false} paragraph={{ rows: 2 }} />
      )}
    </section>
  )
}

function Names({ names }: { names: string[] }) {
  const { t } = useTranslation('me')
  const [expanded, setExpanded] = useState(() => stored.modelsExpanded.get() ?? false)
  if (names.length === 0) return <p className="secondary">{t('models.none')}</p>
  const toggle = () => {
    stored.modelsExpanded.set(!expanded)
    setExpanded(!expanded)
  }
  return (
    <>
      <ul className={styles.models} aria-labelledby="models-heading">
        {(expanded ? names : names.slice(0, FEW)).map((name) => (
          <li key={name}>
            <CopyButton text={name} words={name} label={t('models.copy', { name })} />
          </li>
        ))}
      </ul>
      {names.length > FEW && (
        <Button type="link" size="small" onClick={toggle} aria-expanded={expanded}>
          {expanded ? t('models.less') : t('models.all', { count: names.length })}
        </Button>
      )}
    </>
  )
}
