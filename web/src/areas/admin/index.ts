export { AdminAppsPage } from "./pages/admin-apps-page.tsx";
export { AdminAuditPage } from "./pages/admin-audit-page.tsx";
export { AdminModerationPage } from "./pages/admin-moderation-page.tsx";
export { AdminPlatformPage } from "./pages/admin-platform-page.tsx";
export { AdminSearch } from "./parts/admin-search.tsx";
export { AdminNewsPage } from "./pages/admin-news-page.tsx";
export { AdminSupportPage } from "./pages/admin-support-page.tsx";
export { AdminUsersPage } from "./pages/admin-users-page.tsx";
