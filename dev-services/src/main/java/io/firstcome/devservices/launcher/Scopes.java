package io.firstcome.devservices.launcher;

import io.firstcome.devservices.service.DevIssuer;
import java.util.Iterator;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** The scopes of the command line. */
final class Scopes implements ITypeConverter<String>, Iterable<String> {

  @Override
  public String convert(String text) {
    if (!DevIssuer.SCOPES.contains(text)) {
      throw new TypeConversionException("'%s' is not one of %s".formatted(text, DevIssuer.SCOPES));
    }
    return text;
  }

  @Override
  public Iterator<String> iterator() {
    return DevIssuer.SCOPES.iterator();
  }
}
