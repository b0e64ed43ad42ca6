import {
  ApiOutlined,
  AuditOutlined,
  BarChartOutlined,
  BlockOutlined,
  FileImageOutlined,
  GiftOutlined,
  KeyOutlined,
  MailOutlined,
  ProfileOutlined,
  SettingOutlined,
  TagsOutlined,
  TeamOutlined,
  TransactionOutlined,
  UnorderedListOutlined,
  UserOutlined,
  WalletOutlined,
} from '@ant-design/icons'
import type { ReactNode } from 'react'
import type { NavigationKey } from './navigation.ts'

export const NAVIGATION_ICONS: Record<NavigationKey, ReactNode> = {
  dashboard: <BarChartOutlined aria-hidden />,
  tokens: <KeyOutlined aria-hidden />,
  usageLogs: <ProfileOutlined aria-hidden />,
  drawingLogs: <FileImageOutlined aria-hidden />,
  taskLogs: <UnorderedListOutlined aria-hidden />,
  channels: <ApiOutlined aria-hidden />,
  prices: <TagsOutlined aria-hidden />,
  coupons: <GiftOutlined aria-hidden />,
  orders: <TransactionOutlined aria-hidden />,
  messages: <MailOutlined aria-hidden />,
  users: <TeamOutlined aria-hidden />,
  shadow: <BlockOutlined aria-hidden />,
  settings: <SettingOutlined aria-hidden />,
  audit: <AuditOutlined aria-hidden />,
  wallet: <WalletOutlined aria-hidden />,
  me: <UserOutlined aria-hidden />,
}
