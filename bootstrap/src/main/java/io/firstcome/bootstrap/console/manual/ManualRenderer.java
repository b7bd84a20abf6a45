package io.firstcome.bootstrap.console.manual;

import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.ext.heading.anchor.HeadingAnchorExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/**
 * Renders documents as HTML: headings have the anchors that links between documents name. What is
 * not in the jar is not linked, and pictures are left out.
 */
final class ManualRenderer {

  private static final List<Extension> EXTENSIONS =
      List.of(TablesExtension.create(), HeadingAnchorExtension.create());

  private final Set<String> names;
  private final Parser parser = Parser.builder().extensions(EXTENSIONS).build();
  private final HtmlRenderer renderer =
      HtmlRenderer.builder()
          .extensions(EXTENSIONS)
          .escapeHtml(true)
          .attributeProviderFactory(_ -> ManualRenderer::makeScrollable)
          .build();

  /**
   * Makes a renderer.
   *
   * @param names of the documents that can be linked
   */
  ManualRenderer(Set<String> names) {
    this.names = Set.copyOf(names);
  }

  String html(String markdown) {
    var document = parser.parse(markdown);
    document.accept(new Links());
    return renderer.render(document);
  }

  /** What may be wider than a window can be scrolled with the keyboard. */
  private static void makeScrollable(Node node, String tag, Map<String, String> attributes) {
    if (tag.equals("table") || tag.equals("pre")) {
      attributes.put("tabindex", "0");
    }
  }

  private final class Links extends AbstractVisitor {

    @Override
    public void visit(Link link) {
      visitChildren(link);
      if (!canBeFollowed(URI.create(link.getDestination()))) {
        replaceByItsText(link);
      }
    }

    private boolean canBeFollowed(URI destination) {
      return destination.isAbsolute()
          || destination.getPath().isEmpty()
          || names.contains(destination.getPath());
    }

    private void replaceByItsText(Link link) {
      for (Node child = link.getFirstChild(); child != null; child = link.getFirstChild()) {
        link.insertBefore(child);
      }
      link.unlink();
    }

    @Override
    public void visit(Image image) {
      image.unlink();
    }
  }
}
