/** Names of the operation settings, and a line on what each is for. */
export default {
  TopUpLink: { label: 'Top-up link', help: 'Where codes are sold; "Get a code" in the wallet opens it' },
  general_setting_docs_link: { label: 'Documentation link', help: 'The docs entry of the top bar; blank hides it' },
  general_setting_default_language: {
    label: 'Default language',
    help: 'Language of errors and mails when a request names none (no Accept-Language). Automatic: English on /v1, Chinese on /api',
  },
  QuotaPerUnit: {
    label: 'Quota per dollar',
    help: 'How much quota is 1 USD. A change revalues every balance and price in dollars',
  },
  RetryTimes: {
    label: 'Retries',
    help: 'How often another channel is tried while automatic retry is off; 0 means never',
  },
  DisplayInCurrencyEnabled: { label: 'Show amounts in dollars', help: 'Off: pages show plain quota' },
  DisplayTokenStatEnabled: {
    label: 'Balance by token',
    help: "Billing queries answer the token's own quota instead of the user's balance",
  },
  DefaultCollapseSidebar: { label: 'Start with a narrow sidebar', help: 'What newcomers see when they first arrive' },
  DemoSiteEnabled: { label: 'Demo site', help: 'Nobody but the super admin can change anything' },
  SelfUseModeEnabled: {
    label: 'Self-use mode',
    help: 'For yourself only: closes registration, and models work without a price',
  },

  QuotaForNewUser: { label: 'Quota for new users', help: 'Given on registration' },
  QuotaForInviter: { label: 'Quota for inviters', help: 'Given when somebody they invited registers' },
  QuotaForInvitee: { label: 'Quota for invitees', help: 'Given on top to those who register by invitation' },
  PreConsumedQuota: {
    label: 'Minimum reservation',
    help: 'A request without an output limit reserves quota for at least this many tokens',
  },
  billing_max_output_tokens: {
    label: 'Maximum output',
    help: 'No request may produce more output tokens than this; 0 for no limit',
  },
  billing_assumed_output_tokens: {
    label: 'Assumed output',
    help: 'Reserved for a request without an output limit when the maximum of its model is unknown',
  },
  billing_disconnect_read_seconds: {
    label: 'Read after disconnect',
    help: 'How long a response is read for its usage after the client has disconnected; 0 stops at once',
  },
  AffEnabled: { label: 'Invitations', help: 'Shows invitation links and pays the gifts' },

  RebateEnabled: { label: 'Rebate', help: 'Inviters get a share when those they invited top up or redeem' },
  RebatePercentage: { label: 'Rebate percentage', help: '0 to 100, two decimals at most' },

  CheckInEnabled: { label: 'Check-in', help: 'Users may claim some quota once a day' },
  CheckInQuota: { label: 'Check-in reward', help: 'The fixed reward, or the least of it when a maximum is set' },
  CheckInMaxQuota: {
    label: 'Largest reward',
    help: 'Above the reward: a random amount between both is given; 0 means no chance is involved',
  },

  Chats: {
    label: 'Chat links',
    help: 'A list in order, each entry one name and one link; {key} and {address} become the token and the server',
  },

  GroupRatio: { label: 'Group ratios', help: 'Each key is a group; its number multiplies the prices' },
  UserUsableGroups: {
    label: 'Selectable groups',
    help: 'Groups that every user may choose, with their descriptions',
  },
  AutoGroups: {
    label: 'Auto groups',
    help: 'A list in order. Tokens of the group auto use the first of these groups that serves the model and that the user may use, at the ratio of that group',
  },
  DefaultUseAutoGroup: { label: 'New tokens use auto', help: 'New tokens get the group auto when no group is chosen' },

  ModelRates: {
    label: 'Rate cards',
    help: 'Prices in USD per 1,000,000 tokens with tiers and fees, by model. They win over every other price',
  },
  ModelPrice: {
    label: 'Model prices per call',
    help: 'USD per call; a model with a price is no longer billed by tokens',
  },
  ModelRatio: { label: 'Model ratios', help: 'Ratio 1 is 2 USD for a million input tokens' },
  CompletionRatio: { label: 'Completion ratios', help: 'How many times the input price the output costs' },
  CacheRatio: { label: 'Cache ratios', help: 'What cached input costs, as a multiple of the input price' },

  fallback_pricing_enabled: {
    label: 'Fallback prices',
    help: 'Bills models that have no price. To go from a price to ratios or back, turn it off and save first',
  },
  fallback_single_price: {
    label: 'Fallback price per call',
    help: 'USD per call; either this or the two ratios below',
  },
  fallback_input_ratio: { label: 'Fallback input ratio', help: 'Goes together with the completion ratio' },
  fallback_completion_ratio: { label: 'Fallback completion ratio', help: 'Goes together with the input ratio' },
  redirect_billing_enabled: {
    label: 'Bill the requested model',
    help: 'A call that a channel redirects to another model is billed by the name that was asked for',
  },

  DrawingEnabled: { label: 'Drawing', help: 'Shows the drawing log in the sidebar' },
  MjNotifyEnabled: {
    label: 'Callbacks from vendors',
    help: 'Tells them the address of this server; off, callback addresses are removed from calls',
  },
  MjAccountFilterEnabled: { label: 'Account filter', help: 'Clients may say which accounts to use' },
  MjForwardUrlEnabled: {
    label: 'Serve images from here',
    help: "Vendors' image addresses become addresses of this site",
  },
  MjModeClearEnabled: { label: 'Remove speed flags', help: 'Takes --fast, --relax and --turbo out of prompts' },
  MjActionCheckSuccessEnabled: {
    label: 'Follow-ups need a finished image',
    help: 'Upscales and variations wait until the image is there',
  },
  TaskEnabled: { label: 'Tasks', help: 'Shows the task log in the sidebar' },

  CheckSensitiveEnabled: { label: 'Blocked words', help: 'Off: none of the checks below are made' },
  CheckSensitiveOnPromptEnabled: {
    label: 'Check prompts',
    help: 'Calls with a blocked word are refused and never leave the site',
  },
  SensitiveWords: {
    label: 'List of blocked words',
    help: 'One per line, in any case; a line that begins with regex: is an expression',
  },
  StopOnSensitiveEnabled: {
    label: 'Stop answers at blocked words',
    help: 'Kept for compatibility: output is not checked',
  },
  StreamCacheQueueLength: { label: 'Stream queue length', help: 'Kept for compatibility: output is not checked' },

  LogConsumeEnabled: { label: 'Log calls', help: 'Off: no rows for calls; sums of use and billing go on' },
  LogChatContentEnabled: { label: 'Log what is said', help: 'Keeps prompts and answers; users are told so' },
  LogErrorEnabled: {
    label: 'Log errors',
    help: 'Failed and rejected requests get a row too; rejected ones are kept for 7 days',
  },
  LogRetentionDays: {
    label: 'Days to keep the log',
    help: 'Older rows are removed, sums of use stay; 0 keeps them for ever',
  },
  LogRetentionGigabytes: {
    label: 'Room for the log',
    help: 'The oldest days go when it takes more; 0 means no limit',
  },
  LogChatContentDays: {
    label: 'Days to keep what is said',
    help: 'May be shorter than the log; 0 means as long as the log',
  },

  DataExportEnabled: {
    label: 'Dashboard',
    help: 'Shows figures of use; off only hides them, they are kept all the same',
  },
  DataExportInterval: { label: 'Write interval', help: 'Kept for compatibility: use is written with every bill' },
  DataExportDefaultTime: { label: 'Default step', help: 'The step of the charts when the dashboard is opened' },

  ChannelDisableThreshold: {
    label: 'Longest response time',
    help: 'With automatic disabling, a test of all channels disables slower ones; 0 disables none for being slow',
  },
  QuotaRemindThreshold: {
    label: 'Low balance warning',
    help: 'Warns users below it who have set no figure of their own; 0 warns nobody',
  },
  AutomaticDisableChannelEnabled: {
    label: 'Disable failing channels',
    help: 'A fatal error of the vendor disables the channel',
  },
  AutomaticEnableChannelEnabled: {
    label: 'Enable recovered channels',
    help: 'A channel that was disabled automatically is enabled when a test succeeds',
  },
  AutomaticDisableKeywords: {
    label: 'Fatal phrases',
    help: 'One per line, in any case. The channel is disabled when a phrase appears twice within a short time in errors of the provider, or once while all channels are tested',
  },

  ShadowEnabled: {
    label: 'Shadow mode',
    help: 'Copies below /shadow are judged and recorded: no vendor is asked, nothing is charged',
  },
  ShadowShare: {
    label: 'Share looked at',
    help: 'How many of the arriving copies are judged; the others are sent away unread',
  },
}
