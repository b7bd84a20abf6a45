package io.firstcome.bootstrap.rest.waitingroom;

import io.firstcome.bootstrap.rest.request.CouponIds;
import io.firstcome.bootstrap.rest.request.CouponPathMapping;
import io.firstcome.bootstrap.security.Caller;
import io.firstcome.bootstrap.wiring.WithRedis;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.stereotype.Component;
import org.springframework.web.HttpRequestHandler;
import org.springframework.web.HttpRequestMethodNotSupportedException;
import tools.jackson.databind.json.JsonMapper;

/** Shows a customer's standing, which everybody who waits reads every few seconds. */
@Component
@WithRedis
class StandingHandler implements HttpRequestHandler {

  private final Standings standings;
  private final JsonMapper mapper;

  StandingHandler(Standings standings, JsonMapper mapper) {
    this.standings = standings;
    this.mapper = mapper;
  }

  @Override
  public void handleRequest(HttpServletRequest request, HttpServletResponse response)
      throws IOException, HttpRequestMethodNotSupportedException {
    var method = request.getMethod();
    if (!method.equals("GET") && !method.equals("HEAD")) {
      throw new HttpRequestMethodNotSupportedException(method, List.of("GET", "HEAD"));
    }
    var user = Caller.current().user();
    var id = CouponIds.parse(CouponPathMapping.couponId(request));
    var standing = standings.known(id, user, request.getHeader(Standings.TICKET));
    byte[] json = mapper.writeValueAsBytes(StandingJson.of(standing));
    response.setContentType(MediaType.APPLICATION_JSON_VALUE);
    response.setContentLength(json.length);
    response.getOutputStream().write(json);
  }
}
