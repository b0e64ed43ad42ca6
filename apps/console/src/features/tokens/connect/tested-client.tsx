import { useTranslation } from 'react-i18next'
import JSON_RESULTS from '../../../../../../docs/reference/client-conformance.json'
import { DocsLink } from '../../../ui/page/help-link.tsx'
import styles from './connect.module.css'

const FEATURES = [
  'text',
  'stream',
  'tools',
  'session',
  'compaction',
  'thinking',
  'image',
  'affinity',
  'unknownModel',
  'invalidKey',
  'noBalance',
  'countTokens',
  'modelList',
] as const
type Feature = (typeof FEATURES)[number]
type Outcomes = Readonly<Partial<Record<Feature, string>>>

/** The members that are shown. The type of the file has every package and cell by name. */
interface Results {
  readonly channels: readonly { readonly id: string; readonly name: string }[]
  readonly clients: readonly {
    readonly id: string
    readonly name: string
    readonly date: string
    readonly versions: object
    readonly results: Readonly<Record<string, Outcomes>>
  }[]
}
const RESULTS: Results = JSON_RESULTS

/** What `npm run conformance` found for a client, by type of channel. */
export default function TestedClient({ client }: { client: string }) {
  const { t } = useTranslation('connect')
  const found = RESULTS.clients.find(({ id }) => id === client)
  if (!found) return null
  const [version] = Object.values(found.versions) as string[]
  const { results } = found
  return (
    <section className={styles.tested} aria-label={t('tests.title')}>
      <h3 className={styles.clientName}>{t('tests.title')}</h3>
      <p className={styles.where}>{t('tests.run', { date: found.date, client: found.name, version })}</p>
      <dl className={styles.fields}>
        {RESULTS.channels.map(({ id, name }) => (
          <div key={id} className={styles.field}>
            <dt>{name}</dt>
            <dd>
              <Outcome outcomes={results[id] ?? {}} />
            </dd>
          </div>
        ))}
      </dl>
      <DocsLink page="reference/client-conformance">{t('tests.link')}</DocsLink>
    </section>
  )
}

function Outcome({ outcomes }: { outcomes: Outcomes }) {
  const { t, i18n } = useTranslation('connect')
  const listed = (outcome: string) => {
    const names = FEATURES.filter((feature) => outcomes[feature] === outcome).map((name) => t(`tests.features.${name}`))
    return names.length > 0 && new Intl.ListFormat(i18n.language, { type: 'unit' }).format(names)
  }
  const [works, fails, missing] = [listed('pass'), listed('fail'), listed('provider')]
  return (
    <ul className={styles.outcomes}>
      {works && <li>{t('tests.works', { features: works })}</li>}
      {fails && <li>{t('tests.fails', { features: fails })}</li>}
      {missing && <li>{t('tests.missing', { features: missing })}</li>}
    </ul>
  )
}
