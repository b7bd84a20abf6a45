package io.firstcome.bootstrap.console;

import io.firstcome.bootstrap.rest.page.PageFile;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Map;
import org.springframework.core.io.ClassPathResource;
import org.springframework.core.io.Resource;
import org.springframework.core.io.support.PathMatchingResourcePatternResolver;
import org.springframework.stereotype.Controller;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;

/** Serves the scripts and styles of the console from memory; they need no caller. */
@Controller
class ConsoleAssets {

  private static final String CSS = "text/css;charset=utf-8";
  private static final String SCRIPT = "text/javascript;charset=utf-8";
  private static final String WEBJARS = "classpath:/META-INF/resources/webjars/";

  private final Map<String, PageFile> files;

  ConsoleAssets() throws IOException {
    files =
        Map.of(
            "console.css", file(own("console.css"), CSS),
            "console.js", file(own("console.js"), SCRIPT),
            "curve.js", file(own("curve.js"), SCRIPT),
            "definition.js", file(own("definition.js"), SCRIPT),
            "firstcome-coupon.js",
                file(new ClassPathResource("coupon-page/firstcome-coupon.js"), SCRIPT),
            "live.js", file(own("live.js"), SCRIPT),
            "report.js", file(own("report.js"), SCRIPT),
            "htmx.js", file(library("htmx.org/*/dist/htmx.min.js"), SCRIPT),
            "uplot.js", file(library("uplot/*/dist/uPlot.iife.min.js"), SCRIPT),
            "uplot.css", file(library("uplot/*/dist/uPlot.min.css"), CSS));
  }

  private static Resource own(String name) {
    return new ClassPathResource("console/assets/" + name);
  }

  private static Resource library(String pattern) throws IOException {
    return new PathMatchingResourcePatternResolver().getResources(WEBJARS + pattern)[0];
  }

  private static PageFile file(Resource resource, String type) throws IOException {
    return PageFile.of(resource.getContentAsByteArray(), type);
  }

  @GetMapping("/console/assets/{name}")
  void asset(@PathVariable String name, HttpServletRequest request, HttpServletResponse response)
      throws IOException {
    var file = files.get(name);
    if (file == null) {
      response.sendError(HttpServletResponse.SC_NOT_FOUND);
      return;
    }
    file.write(request, response);
  }
}
