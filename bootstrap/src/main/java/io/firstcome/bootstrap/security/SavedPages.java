package io.firstcome.bootstrap.security;

import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import org.jspecify.annotations.Nullable;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.MediaType;
import org.springframework.security.web.authentication.AuthenticationSuccessHandler;
import org.springframework.security.web.authentication.SavedRequestAwareAuthenticationSuccessHandler;
import org.springframework.security.web.savedrequest.CookieRequestCache;
import org.springframework.security.web.savedrequest.SavedRequest;

/**
 * The page that somebody wanted to see before signing in, in a cookie. It is a page, never a part
 * of one or a stream. The cookie may be anything: a page of a sibling domain can set it.
 */
final class SavedPages extends CookieRequestCache {

  private static final String SCHEME_END = "://";

  private final String console;

  /**
   * @param console the path of the console's first page
   */
  SavedPages(String console) {
    this.console = console;
    setRequestMatcher(SavedPages::isPage);
  }

  private static boolean isPage(HttpServletRequest request) {
    return HttpMethod.GET.matches(request.getMethod())
        && request.getHeader("HX-Request") == null
        && String.valueOf(request.getHeader(HttpHeaders.ACCEPT))
            .contains(MediaType.TEXT_HTML_VALUE);
  }

  @Override
  public @Nullable SavedRequest getRequest(
      HttpServletRequest request, HttpServletResponse response) {
    try {
      return super.getRequest(request, response);
    } catch (IllegalArgumentException e) {
      removeRequest(request, response);
      return null;
    }
  }

  /**
   * Redirects to the path of the page alone after signing in: the scheme and host of a request are
   * not those of a browser.
   */
  AuthenticationSuccessHandler backToPage() {
    var handler = new SavedRequestAwareAuthenticationSuccessHandler();
    handler.setRequestCache(this);
    handler.setDefaultTargetUrl(console);
    handler.setRedirectStrategy((_, response, url) -> response.sendRedirect(pathOf(url)));
    return handler;
  }

  private String pathOf(String url) {
    int scheme = url.indexOf(SCHEME_END);
    int begin = scheme < 0 ? 0 : url.indexOf('/', scheme + SCHEME_END.length());
    var path = begin < 0 ? "" : url.substring(begin);
    return path.startsWith(console + "/") && path.chars().allMatch(SavedPages::isOfAddress)
        ? path
        : console;
  }

  private static boolean isOfAddress(int character) {
    return character > ' ' && character <= '~';
  }
}
