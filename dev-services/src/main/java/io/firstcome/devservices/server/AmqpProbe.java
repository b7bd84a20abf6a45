package io.firstcome.devservices.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;

/**
 * Checks whether an AMQP 0-9-1 broker accepts connections. It runs the complete connection
 * handshake (section 2.2.4 of the specification), since a broker listens and starts the handshake
 * before its virtual host is active.
 */
final class AmqpProbe {

  private static final int TIMEOUT_MILLIS = 2_000;
  private static final int METHOD_FRAME = 1;
  private static final int FRAME_END = 0xCE;
  private static final int FRAME_BYTES_MAX = 131_072;

  /** The class "connection" and its methods to open and close a connection. */
  private static final int CONNECTION = 10;

  private static final int START = 10;
  private static final int START_OK = 11;
  private static final int TUNE = 30;
  private static final int TUNE_OK = 31;
  private static final int OPEN = 40;
  private static final int OPEN_OK = 41;
  private static final int CLOSE = 50;
  private static final int CLOSE_OK = 51;
  private static final int REPLY_SUCCESS = 200;

  private AmqpProbe() {}

  /** The arguments of a method, in the order of the specification. */
  private interface Arguments {
    void write(DataOutputStream out) throws IOException;
  }

  /** Whether a connection to the virtual host "/" can be opened now. */
  static boolean answers(String host, int port, String user, String password) {
    try (Socket socket = new Socket()) {
      socket.connect(new InetSocketAddress(host, port), TIMEOUT_MILLIS);
      socket.setSoTimeout(TIMEOUT_MILLIS);
      DataInputStream in = new DataInputStream(socket.getInputStream());
      DataOutputStream out = new DataOutputStream(socket.getOutputStream());
      out.write("AMQP".getBytes(UTF_8));
      out.write(new byte[] {0, 0, 9, 1});
      return open(in, out, user, password);
    } catch (IOException e) {
      return false;
    }
  }

  private static boolean open(
      DataInputStream in, DataOutputStream out, String user, String password) throws IOException {
    if (next(in) != START) {
      return false;
    }
    send(
        out,
        START_OK,
        arguments -> {
          arguments.writeInt(0); // no client properties
          shortText(arguments, "PLAIN");
          byte[] login = "\0%s\0%s".formatted(user, password).getBytes(UTF_8);
          arguments.writeInt(login.length);
          arguments.write(login);
          shortText(arguments, "en_US");
        });
    if (next(in) != TUNE) {
      return false;
    }
    send(
        out,
        TUNE_OK,
        arguments -> {
          arguments.writeShort(1); // channels
          arguments.writeInt(FRAME_BYTES_MAX);
          arguments.writeShort(0); // no heartbeat
        });
    send(
        out,
        OPEN,
        arguments -> {
          shortText(arguments, "/");
          shortText(arguments, ""); // reserved
          arguments.writeByte(0); // reserved
        });
    if (next(in) != OPEN_OK) {
      return false;
    }
    send(
        out,
        CLOSE,
        arguments -> {
          arguments.writeShort(REPLY_SUCCESS);
          shortText(arguments, "");
          arguments.writeInt(0); // no class and method that caused it
        });
    return next(in) == CLOSE_OK;
  }

  /** Reads a method frame and returns the id of its method. */
  private static int next(DataInputStream in) throws IOException {
    int type = in.readUnsignedByte();
    in.readUnsignedShort();
    int size = in.readInt();
    if (type != METHOD_FRAME || size < Integer.BYTES || size > FRAME_BYTES_MAX) {
      throw new IOException("not a method frame: type %d, %d bytes".formatted(type, size));
    }
    int amqpClass = in.readUnsignedShort();
    int method = in.readUnsignedShort();
    in.skipNBytes(size - Integer.BYTES);
    if (in.readUnsignedByte() != FRAME_END || amqpClass != CONNECTION) {
      throw new IOException("not a frame of class connection: class %d".formatted(amqpClass));
    }
    return method;
  }

  private static void send(DataOutputStream out, int method, Arguments arguments)
      throws IOException {
    ByteArrayOutputStream payload = new ByteArrayOutputStream();
    try (DataOutputStream data = new DataOutputStream(payload)) {
      data.writeShort(CONNECTION);
      data.writeShort(method);
      arguments.write(data);
    }
    out.writeByte(METHOD_FRAME);
    out.writeShort(0);
    out.writeInt(payload.size());
    payload.writeTo(out);
    out.writeByte(FRAME_END);
    out.flush();
  }

  private static void shortText(DataOutputStream out, String text) throws IOException {
    byte[] bytes = text.getBytes(UTF_8);
    out.writeByte(bytes.length);
    out.write(bytes);
  }
}
