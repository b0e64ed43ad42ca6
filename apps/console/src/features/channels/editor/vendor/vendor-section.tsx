import { channelTypeOf, type OtherMeaning } from '@tidegate/contract/api'
import type { ComponentType } from 'react'
import { AccountIdField } from './account-id-field.tsx'
import { ApiVersionField } from './api-version-field.tsx'
import { LibraryIdField } from './library-id-field.tsx'
import { OrganizationField } from './organization-field.tsx'
import { PluginField } from './plugin-field.tsx'
import { RegionField } from './region-field.tsx'
import { SparkVersionField } from './spark-version-field.tsx'

/** What a vendor makes of the field that belongs to it alone. */
const BY_MEANING: Record<OtherMeaning, ComponentType> = {
  account_id: AccountIdField,
  api_version: ApiVersionField,
  library_id: LibraryIdField,
  plugin: PluginField,
  region: RegionField,
  spark_version: SparkVersionField,
}

const BY_TYPE: Readonly<Record<number, ComponentType>> = { 1: OrganizationField }

/** The fields of one vendor, where it has some. */
export function VendorSection({ type }: { type: number }) {
  const meaning = channelTypeOf(type)?.other
  const Section = BY_TYPE[type] ?? (meaning && BY_MEANING[meaning])
  return Section ? <Section /> : null
}
