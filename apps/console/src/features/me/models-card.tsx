import { useQuery } from '@tanstack/react-query'
import { Button, Skeleton } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { errorText } from '../../lib/call-error.ts'
import { stored } from '../../lib/stored.ts'
import { CopyButton } from '../../ui/copy-button.tsx'
import styles from './me.module.css'
import { ownModelsQuery } from './queries.ts'

const FEW = 10

export function ModelsCard() {
  const { t } = useTranslation('me')
  const models = useQuery(ownModelsQuery)
  return (
    <section className={styles.card} aria-labelledby="models-heading">
      <h2 id="models-heading">{t('models')}</h2>
      {models.data ? (
        <ModelList names={models.data} />
      ) : models.error ? (
        <p className="secondary">{errorText(models.error)}</p>
      ) : (
        <Skeleton active title={false} paragraph={{ rows: 2 }} />
      )}
    </section>
  )
}

function ModelList({ names }: { names: string[] }) {
  const { t } = useTranslation('me')
  const [expanded, setExpanded] = useState(() => stored.modelsExpanded.get() ?? false)
  if (names.length === 0) return <p className="secondary">{t('noModels')}</p>
  const toggle = () => {
    stored.modelsExpanded.set(!expanded)
    setExpanded(!expanded)
  }
  return (
    <>
      <ul className={styles.models}>
        {(expanded ? names : names.slice(0, FEW)).map((name) => (
          <li key={name}>
            <span className="mono">{name}</span>
            <CopyButton text={name} label={t('copyModel', { name })} />
          </li>
        ))}
      </ul>
      {names.length > FEW && (
        <Button type="link" size="small" onClick={toggle} aria-expanded={expanded}>
          {expanded ? t('showLess') : t('showAll', { count: names.length })}
        </Button>
      )}
    </>
  )
}
