package bench;

import java.time.Instant;
import java.util.concurrent.atomic.AtomicLong;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Configuration;
import org.springframework.messaging.handler.annotation.DestinationVariable;
import org.springframework.messaging.handler.annotation.MessageMapping;
import org.springframework.messaging.handler.annotation.Payload;
import org.springframework.messaging.handler.annotation.SendTo;
import org.springframework.messaging.simp.config.MessageBrokerRegistry;
import org.springframework.stereotype.Controller;
import org.springframework.web.socket.config.annotation.EnableWebSocketMessageBroker;
import org.springframework.web.socket.config.annotation.StompEndpointRegistry;
import org.springframework.web.socket.config.annotation.WebSocketMessageBrokerConfigurer;

/** Spring's simple broker as its documentation sets it up: one topic a room, nothing is stored. */
@SpringBootApplication
public class SimpleBroker {
  public static void main(String[] args) {
    SpringApplication.run(SimpleBroker.class, args);
  }

  public record Sent(long senderId, long roomId, String content, String timestamp) {}

  public record Delivered(
      long senderId,
      long roomId,
      String content,
      String timestamp,
      String nickname,
      String profileImage,
      String id) {}

  @Configuration
  @EnableWebSocketMessageBroker
  static class Broker implements WebSocketMessageBrokerConfigurer {
    @Override
    public void registerStompEndpoints(StompEndpointRegistry registry) {
      registry.addEndpoint("/ws").setAllowedOriginPatterns("*");
    }

    @Override
    public void configureMessageBroker(MessageBrokerRegistry registry) {
      registry.setApplicationDestinationPrefixes("/pub");
      registry.enableSimpleBroker("/topic");
    }
  }

  @Controller
  static class Chat {
    private final AtomicLong number = new AtomicLong();

    @MessageMapping("/chat/{room}")
    @SendTo("/topic/messages/{room}")
    Delivered deliver(@DestinationVariable long room, @Payload Sent sent) {
      return new Delivered(
          sent.senderId(),
          room,
          sent.content(),
          Instant.now().toString(),
          "learner" + sent.senderId(),
          "default.jpg",
          room + "-1-" + number.incrementAndGet());
    }
  }
}
