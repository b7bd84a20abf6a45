package io.firstcome.bootstrap.rest.page;

import io.firstcome.bootstrap.problem.Problem;
import io.firstcome.bootstrap.problem.ProblemType;
import io.firstcome.bootstrap.refusal.UnknownSettings;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.core.env.Environment;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.util.HtmlUtils;

/**
 * Serves the page of a coupon, which is the same file for each id, and the scripts of it. They are
 * in memory, and need no caller: what a customer may see, the scripts ask for.
 *
 * <p>A web page of any origin may load the web component; whether its calls are answered is decided
 * by {@code firstcome.security.origins}.
 */
@RestController
class CouponPageController {

  private static final String HTML = "text/html;charset=utf-8";
  private static final String CSS = "text/css;charset=utf-8";
  private static final String SCRIPT = "text/javascript;charset=utf-8";

  private final PageFile page;
  private final Map<String, PageFile> assets;

  CouponPageController(PageProperties properties, Environment environment) throws IOException {
    UnknownSettings.refuse(environment, PageProperties.PREFIX, PageProperties::isKnown);
    page = PageFile.of(html(properties).getBytes(StandardCharsets.UTF_8), HTML);
    assets =
        Map.of(
            "page.css",
            PageFile.of(read("page.css"), CSS),
            "page.js",
            PageFile.of(read("page.js"), SCRIPT),
            "firstcome-coupon.js",
            PageFile.of(read("firstcome-coupon.js"), SCRIPT));
  }

  private static String html(PageProperties properties) throws IOException {
    return new String(read("page.html"), StandardCharsets.UTF_8)
        .replace("{{signIn}}", attribute(properties.signIn()))
        .replace("{{use}}", attribute(properties.use()));
  }

  private static String attribute(@Nullable URI address) {
    return address == null ? "" : HtmlUtils.htmlEscape(address.toString());
  }

  private static byte[] read(String name) throws IOException {
    return new ClassPathResource("coupon-page/" + name).getContentAsByteArray();
  }

  @GetMapping("/c/{couponId}")
  void page(HttpServletRequest request, HttpServletResponse response) throws IOException {
    page.write(request, response);
  }

  @GetMapping("/assets/{name}")
  void asset(@PathVariable String name, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    var asset = assets.get(name);
    if (asset == null) {
      throw Problem.of(ProblemType.NOT_FOUND, "There is no such file.");
    }
    response.setHeader(HttpHeaders.ACCESS_CONTROL_ALLOW_ORIGIN, "*");
    response.setHeader("Cross-Origin-Resource-Policy", "cross-origin");
    asset.write(request, response);
  }
}
