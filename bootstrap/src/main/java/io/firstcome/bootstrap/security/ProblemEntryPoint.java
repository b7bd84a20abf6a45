package io.firstcome.bootstrap.security;

import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemAdvice;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.problem.ProblemWriter;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.stream.Collectors;
import org.springframework.http.HttpHeaders;
import org.springframework.security.access.AccessDeniedException;
import org.springframework.security.authentication.AuthenticationServiceException;
import org.springframework.security.authorization.AuthorityAuthorizationDecision;
import org.springframework.security.authorization.AuthorizationDeniedException;
import org.springframework.security.core.AuthenticationException;
import org.springframework.security.core.GrantedAuthority;
import org.springframework.security.oauth2.core.OAuth2AuthenticationException;
import org.springframework.security.web.AuthenticationEntryPoint;
import org.springframework.security.web.access.AccessDeniedHandler;
import org.springframework.security.web.authentication.AuthenticationFailureHandler;

/** Answers requests whose caller is not known (401) or lacks a scope (403). */
final class ProblemEntryPoint
    implements AuthenticationEntryPoint, AuthenticationFailureHandler, AccessDeniedHandler {

  private final ProblemWriter problems;

  ProblemEntryPoint(ProblemWriter problems) {
    this.problems = problems;
  }

  @Override
  public void commence(
      HttpServletRequest request, HttpServletResponse response, AuthenticationException failure)
      throws IOException {
    response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer");
    problems.write(
        request, response, Problem.unauthenticated("The request has no valid credentials."));
  }

  /** The credentials of a request were rejected, or could not be checked. */
  @Override
  public void onAuthenticationFailure(
      HttpServletRequest request, HttpServletResponse response, AuthenticationException failure)
      throws IOException {
    if (failure instanceof AuthenticationServiceException) {
      problems.write(request, response, ProblemAdvice.recovering());
    } else {
      response.setHeader(HttpHeaders.WWW_AUTHENTICATE, "Bearer error=\"invalid_token\"");
      problems.write(request, response, Problem.unauthenticated(reason(failure)));
    }
  }

  /** The reason, which contains no part of the token. */
  private static String reason(AuthenticationException failure) {
    return failure instanceof OAuth2AuthenticationException rejected
            && rejected.getError().getDescription() != null
        ? "The token was rejected: " + rejected.getError().getDescription()
        : "The token was rejected.";
  }

  @Override
  public void handle(
      HttpServletRequest request, HttpServletResponse response, AccessDeniedException denial)
      throws IOException {
    problems.write(
        request,
        response,
        Problem.of(ProblemType.FORBIDDEN, "This call needs the scope " + needed(denial) + "."));
  }

  private static String needed(AccessDeniedException denial) {
    return denial instanceof AuthorizationDeniedException denied
            && denied.getAuthorizationResult() instanceof AuthorityAuthorizationDecision decision
        ? decision.getAuthorities().stream()
            .map(GrantedAuthority::getAuthority)
            .collect(Collectors.joining(" or "))
        : "of an operator";
  }
}
