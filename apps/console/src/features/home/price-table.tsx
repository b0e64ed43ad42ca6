import { ArrowRightOutlined, SearchOutlined } from '@ant-design/icons'
import type * as api from '@tidegate/contract/api'
import { useQueries } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useProviderName } from '../../components/provider-name.ts'
import { Link } from 'react-router'
import { TOKEN_PRICE_DECIMALS } from '../../components/price.tsx'
import { ModelProviderMark } from '../../components/provider-mark.tsx'
import { SuccessBars } from '../../components/success-bars.tsx'
import { dollars, formatLimit, formatSeconds } from '../../lib/format.ts'
import styles from './home.module.css'
import { FEATURED, figuresQuery, formatAvailability } from './measured.ts'

interface Props {
  /** In the order of the table. */
  models: readonly api.PricedModel[]
  isLoading: boolean
}

/** Prices of some models with a search over all, and metrics of models with traffic. Columns never move. */
export function PriceTable({ models, isLoading }: Props) {
  const { t } = useTranslation('home')
  const [keyword, setKeyword] = useState('')
  const needle = keyword.trim().toLowerCase()
  const found = models.filter(({ model_name: name, owner_by: provider }) =>
    `${name} ${provider}`.toLowerCase().includes(needle),
  )
  const rows = found.slice(0, FEATURED)
  const figures = useQueries({
    queries: rows.map(({ model_name: name }) => ({
      ...figuresQuery(name),
      // The rows change with every key during a search. The model page has the metrics.
      enabled: needle === '',
    })),
    combine: (results) => results.map(({ data }) => (data && data.calls > 0 ? data : undefined)),
  })
  if (!isLoading && models.length === 0) return null
  return (
    <section className={styles.section} aria-labelledby="prices">
      <div className={styles.sectionHead}>
        <h2 id="prices">{t('prices.title')}</h2>
        <span className={styles.hint}>{t('prices.hintMeasured')}</span>
        <label className={styles.search}>
          <SearchOutlined aria-hidden />
          <input
            type="search"
            value={keyword}
            aria-label={t('prices.search', { count: models.length })}
            placeholder={t('prices.search', { count: models.length })}
            onChange={({ target }) => setKeyword(target.value)}
          />
        </label>
      </div>
      <div className={styles.prices} aria-busy={isLoading}>
        <table>
          <thead>
            <tr>
              <th scope="col">{t('prices.model')}</th>
              <th scope="col" className={styles.wide}>
                {t('prices.provider')}
              </th>
              <th scope="col" className={styles.wide}>
                {t('prices.context')}
              </th>
              <th scope="col">{t('prices.input')}</th>
              <th scope="col">{t('prices.output')}</th>
              <th scope="col" className={styles.wide}>
                {t('prices.firstToken')}
              </th>
              <th scope="col" className={`${styles.wide} ${styles.availabilityColumn}`}>
                {t('prices.availability')}
              </th>
            </tr>
          </thead>
          <tbody>
            {isLoading && <BlankRows />}
            {rows.map((model, index) => (
              <ModelRow key={model.model_name} model={model} figures={figures[index]} />
            ))}
          </tbody>
        </table>
        {!isLoading && rows.length === 0 && <p className={styles.noMatch}>{t('prices.noMatch')}</p>}
      </div>
      <p className={styles.all}>
        <Link to={needle === '' ? '/pricing' : `/pricing?keyword=${encodeURIComponent(keyword.trim())}`}>
          {t('models.all')} <ArrowRightOutlined aria-hidden />
        </Link>
      </p>
    </section>
  )
}

interface RowProps {
  model: api.PricedModel
  /** Undefined until they are loaded, and without traffic. */
  figures: api.ModelFigures | undefined
}

function ModelRow({ model, figures }: RowProps) {
  const { t } = useTranslation('home')
  const providerName = useProviderName()
  const { model_name: name, owner_by: provider, context, rates, quota_type: type, model_price: price } = model
  return (
    <tr>
      <th scope="row">
        <span className={styles.model}>
          <ModelProviderMark provider={provider} />
          <Link to={`/pricing/${encodeURIComponent(name)}`} className={styles.modelLink} title={name}>
            {name}
          </Link>
        </span>
      </th>
      <td className={`${styles.wide} ${styles.quiet}`}>{providerName(provider) || '–'}</td>
      <td className={`${styles.wide} ${styles.quiet}`}>{context === undefined ? '–' : formatLimit(context)}</td>
      {type === 1 ? (
        <td colSpan={2}>{t('prices.perRequest', { price: dollars(price, 2, 4) })}</td>
      ) : (
        <>
          <td>{rates?.input === undefined ? '–' : priceText(rates.input)}</td>
          <td>{rates?.output === undefined ? '–' : priceText(rates.output)}</td>
        </>
      )}
      <td className={styles.wide}>
        {figures?.first_token_p50 === undefined ? '–' : formatSeconds(figures.first_token_p50)}
      </td>
      <td className={styles.wide}>{figures ? <Availability figures={figures} /> : '–'}</td>
    </tr>
  )
}

function Availability({ figures: { availability, hours } }: { figures: api.ModelFigures }) {
  return (
    <span className={styles.availability}>
      <SuccessBars
        height={16}
        width={3}
        gap={1}
        parts={hours.map(({ hour, calls, failed }) => ({ key: hour, succeeded: calls - failed, failed }))}
      />
      <span>{availability === undefined ? '–' : formatAvailability(availability)}</span>
    </span>
  )
}

/** Whether a column is shown on wide screens only. */
const COLUMNS = { model: 0, provider: 1, context: 1, input: 0, output: 0, firstToken: 1, availability: 1 }

function BlankRows() {
  return Array.from({ length: FEATURED }, (_, index) => (
    <tr key={index} className={styles.blankRow} aria-hidden>
      {Object.entries(COLUMNS).map(([column, isWide]) => (
        <td key={column} className={isWide ? styles.wide : undefined}>
          –
        </td>
      ))}
    </tr>
  ))
}

/** As on the page with all prices. */
const priceText = (price: number) => dollars(price, TOKEN_PRICE_DECIMALS, TOKEN_PRICE_DECIMALS)
