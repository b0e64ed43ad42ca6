/** Names of the system settings and of what visitors see, and a line on what each is for. */
export default {
  ServerAddress: {
    label: 'Địa chỉ máy chủ',
    help: 'Địa chỉ công khai của trang này, dùng cho liên kết trong email và callback: https://gate.example.com',
  },

  ReverseProxyEnabled: {
    label: 'Tin cậy reverse proxy',
    help: 'Đọc địa chỉ khách truy cập từ header của proxy; chỉ bật khi thực sự có proxy phía trước',
  },
  ReverseProxyProvider: { label: 'Loại proxy', help: 'Đọc những header nào' },

  WorkerUrl: { label: 'Địa chỉ trung chuyển', help: 'Khi được đặt, tải xuống và webhook đi qua đây' },
  WorkerValidKey: { label: 'Khóa trung chuyển', help: 'Gửi đến dịch vụ trung chuyển trong mỗi yêu cầu' },

  audit_syslog_address: {
    label: 'Địa chỉ syslog',
    help: 'RFC 5424 qua tls://, tcp:// hoặc udp://, kèm máy chủ và cổng. Để trống: tắt',
  },
  audit_webhook_url: { label: 'Địa chỉ webhook', help: 'Địa chỉ https nhận các dòng JSON có chữ ký. Để trống: tắt' },
  audit_webhook_secret: { label: 'Khóa bí mật webhook', help: 'Ký mọi yêu cầu để bên nhận kiểm tra được nguồn gửi' },

  PasswordLoginEnabled: {
    label: 'Đăng nhập bằng mật khẩu',
    help: 'Hãy chắc chắn có cách đăng nhập khác trước khi tắt',
  },
  PasswordRegisterEnabled: { label: 'Đăng ký bằng mật khẩu', help: 'Tắt: chỉ đăng ký qua dịch vụ khác' },
  EmailVerificationEnabled: { label: 'Xác minh email khi đăng ký', help: 'Cần có máy chủ email' },
  RegisterEnabled: { label: 'Đăng ký', help: 'Tắt: không ai đăng ký được bằng bất kỳ cách nào' },
  TurnstileCheckEnabled: { label: 'Xác minh con người', help: 'Cần cả hai khóa của Turnstile' },
  GitHubOAuthEnabled: { label: 'Đăng nhập bằng GitHub', help: 'Cần client ID và client secret' },
  oidc_enabled: { label: 'Đăng nhập bằng OIDC', help: 'Cần client và ba địa chỉ' },
  LinuxDOOAuthEnabled: { label: 'Đăng nhập bằng LinuxDO', help: 'Cần client ID và client secret' },
  WeChatAuthEnabled: { label: 'Đăng nhập bằng WeChat', help: 'Cần địa chỉ và token của dịch vụ WeChat' },
  TelegramOAuthEnabled: { label: 'Đăng nhập bằng Telegram', help: 'Cần token của bot' },
  security_new_device_mail_enabled: {
    label: 'Email khi đăng nhập từ thiết bị mới',
    help: 'Báo cho người dùng khi một trình duyệt đăng nhập lần đầu vào tài khoản; cần có máy chủ email',
  },
  security_auth_failure_alert_threshold: {
    label: 'Ngưỡng cảnh báo đăng nhập thất bại mỗi giờ',
    help: 'Vượt ngưỡng thì báo cho quản trị viên cấp cao; 0 là không báo',
  },

  security_require_two_factor_for_admins: {
    label: 'Bắt buộc quản trị viên xác thực hai lớp',
    help: 'Quản trị viên chưa có xác thực hai lớp hoặc khóa truy cập chỉ có thể thiết lập chúng. Hãy thiết lập cho tài khoản của bạn trước',
  },
  security_console_allowed_addresses: {
    label: 'Địa chỉ được phép của quản trị viên',
    help: 'Các địa chỉ IP và dải mà quản trị viên được dùng bảng điều khiển và API; để trống là mọi nơi. Phải chứa địa chỉ của bạn',
  },
  security_session_days: {
    label: 'Thời hạn phiên',
    help: 'Phiên kết thúc sau số ngày này, kể cả phiên đang mở',
  },
  security_session_idle_minutes: {
    label: 'Kết thúc phiên không hoạt động sau',
    help: 'Số phút không có yêu cầu; 0 là không bao giờ',
  },

  EmailDomainRestrictionEnabled: {
    label: 'Giới hạn tên miền email',
    help: 'Chỉ các tên miền bên dưới được đăng ký',
  },
  EmailAliasRestrictionEnabled: { label: 'Cấm bí danh email', help: 'Từ chối địa chỉ có + hoặc dấu chấm trước @' },
  EmailDomainWhitelist: {
    label: 'Tên miền email được phép',
    help: 'Nhấn Enter để thêm; có thể dán nhiều tên cùng lúc',
  },

  SMTPServer: { label: 'Máy chủ SMTP', help: 'Tên máy chủ, như smtp.example.com' },
  SMTPPort: { label: 'Cổng SMTP', help: 'Thường là 587, hoặc 465 nếu mã hóa ngay từ đầu' },
  SMTPAccount: { label: 'Tài khoản SMTP', help: 'Tên đăng nhập máy chủ email' },
  SMTPFrom: { label: 'Địa chỉ người gửi', help: 'Để trống: dùng tài khoản làm người gửi' },
  SMTPToken: { label: 'Mật khẩu SMTP', help: 'Mật khẩu, hoặc mã dành cho ứng dụng' },
  SMTPSSLEnabled: { label: 'Mã hóa ngay từ đầu', help: 'Dùng TLS ngay; luôn như vậy với cổng 465' },

  TurnstileSiteKey: {
    label: 'Khóa trang Turnstile',
    help: 'Công khai: trình duyệt của mọi khách truy cập đều nhận được',
  },
  TurnstileSecretKey: { label: 'Khóa bí mật Turnstile', help: 'Máy chủ dùng để xác minh' },

  GitHubClientId: { label: 'GitHub client ID', help: 'Địa chỉ callback ở đó: địa chỉ máy chủ + /oauth/github' },
  GitHubClientSecret: { label: 'GitHub client secret', help: 'Tạo trong ứng dụng OAuth tại GitHub' },

  oidc_client_id: { label: 'OIDC client ID', help: 'Địa chỉ callback ở đó: địa chỉ máy chủ + /oauth/oidc' },
  oidc_client_secret: { label: 'OIDC client secret', help: 'Do nhà cung cấp danh tính cấp' },
  oidc_well_known: {
    label: 'Tài liệu discovery',
    help: 'Kết thúc bằng /.well-known/openid-configuration và chứa ba địa chỉ bên dưới',
  },
  oidc_authorization_endpoint: { label: 'Địa chỉ ủy quyền', help: 'authorization_endpoint trong tài liệu' },
  oidc_token_endpoint: { label: 'Địa chỉ token', help: 'token_endpoint trong tài liệu' },
  oidc_user_info_endpoint: { label: 'Địa chỉ thông tin người dùng', help: 'userinfo_endpoint trong tài liệu' },

  LinuxDOClientId: { label: 'LinuxDO client ID', help: 'Địa chỉ callback ở đó: địa chỉ máy chủ + /oauth/linuxdo' },
  LinuxDOClientSecret: { label: 'LinuxDO client secret', help: 'Tạo trong LinuxDO Connect' },
  LinuxDOMinimumTrustLevel: {
    label: 'Mức tin cậy thấp nhất',
    help: 'Tài khoản dưới mức này không đăng nhập được; 0 đến 4',
  },

  WeChatServerAddress: { label: 'Địa chỉ dịch vụ WeChat', help: 'Nơi đặt dịch vụ của tài khoản chính thức' },
  WeChatServerToken: { label: 'Token dịch vụ WeChat', help: 'Dùng để truy cập dịch vụ đó' },
  WeChatAccountQRCodeImageURL: {
    label: 'Mã QR của tài khoản',
    help: 'Ảnh hiển thị khi đăng nhập: địa chỉ https hoặc đường dẫn của trang này',
  },

  TelegramBotName: { label: 'Tên bot Telegram', help: 'Không có @' },
  TelegramBotToken: { label: 'Token bot Telegram', help: 'Do BotFather cấp' },

  PayAddress: { label: 'Cổng thanh toán', help: 'Địa chỉ của Epay; để trống là đóng nạp tiền trực tuyến' },
  EpayId: { label: 'ID người bán', help: 'Mã số của bạn tại Epay' },
  EpayKey: { label: 'Khóa người bán', help: 'Ký và xác minh thanh toán' },
  CustomCallbackAddress: {
    label: 'Địa chỉ callback',
    help: 'Nơi nhận kết quả; để trống: dùng địa chỉ máy chủ',
  },
  Price: { label: 'Giá một đô la', help: '1 USD số dư giá bao nhiêu nội tệ' },
  MinTopUp: { label: 'Nạp tiền tối thiểu', help: 'Tính bằng đô la' },
  TopupGroupRatio: { label: 'Giá theo nhóm', help: 'Giảm giá hoặc phụ thu khi nạp tiền theo nhóm người dùng' },

  stripe_enabled: { label: 'Stripe', help: 'Cần cả hai khóa bí mật bên dưới' },
  stripe_secret_key: { label: 'Khóa bí mật Stripe', help: 'Bắt đầu bằng sk_ hoặc rk_' },
  stripe_webhook_secret: {
    label: 'Khóa bí mật webhook Stripe',
    help: 'Bắt đầu bằng whsec_; chứng minh thông báo là thật',
  },
  stripe_currency: { label: 'Tiền tệ Stripe', help: 'Mã gồm ba chữ cái, như usd' },
  stripe_unit_price: { label: 'Giá một đô la qua Stripe', help: '1 USD số dư giá bao nhiêu theo tiền tệ đó' },

  Notice: {
    label: 'Thông báo',
    help: 'Hiện một lần cho mọi khách truy cập, và hiện lại khi thay đổi; Markdown và HTML',
  },
  About: { label: 'Giới thiệu', help: 'Trang giới thiệu: Markdown, HTML, hoặc liên kết bắt đầu bằng https://' },
  HomePageContent: {
    label: 'Trang chủ',
    help: 'Để trống: trang mặc định; có thể là liên kết bắt đầu bằng https://',
  },
  Footer: { label: 'Chân trang', help: 'HTML; để trống là hiện chân trang mặc định' },
  content_trusted_html_enabled: {
    label: 'Tin cậy HTML bên trên',
    help: 'Hiển thị cùng script trong khung riêng, tách khỏi phiên của khách truy cập. Tắt: chỉ giữ các thẻ vô hại',
  },
  SystemName: { label: 'Tên trang', help: 'Trong tiêu đề, điều hướng và email' },
  Logo: { label: 'Logo', help: 'Ảnh: địa chỉ https hoặc đường dẫn của trang này; để trống: logo mặc định' },
  custom_head_html: {
    label: 'Head tùy chỉnh',
    help: 'Chèn vào <head> của mọi trang, cho phân tích truy cập và tương tự. Chỉ nhập nội dung bạn tin cậy',
  },
  global_css: { label: 'Kiểu toàn cục', help: 'CSS cho mọi trang' },
  global_js: {
    label: 'Script toàn cục',
    help: 'Chạy trên trình duyệt của mọi khách truy cập. Chỉ nhập nội dung bạn tin cậy',
  },
}
